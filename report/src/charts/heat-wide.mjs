// The same with more room.
import {heat} from './heat.mjs';

export default heat({width: 404, height: 216});
