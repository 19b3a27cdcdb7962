// What a count has on the disk while it runs, for whoever has to end the program in the middle of it.
#pragma once

namespace fairstep {

/// Removes what this process has spilled so far. Counts that are under way fail from here on.
void remove_spills();

}  // namespace fairstep
