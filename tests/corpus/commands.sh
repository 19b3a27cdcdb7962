# What users type, from a model to a report, and what they mistype. Every line is a command, run in one folder from the
# top; what each prints, its exit code and every file that is left are compared with expected/ (scripts/corpus.py).
# Work is bounded by --effort, never by time.

# models, policies
fairstep env --list
fairstep env fico --horizon 3 -o fico.json
fairstep env synthetic --horizon 4 -o synthetic.json
fairstep env lending --horizon 3 -o lending.json
fairstep env random --groups 3 --features 3 --horizon 3 --seed 7 -o random.json
fairstep env random --groups 2 --features 2 --horizon 2 --seed 3 --json
fairstep policy fico.json --uniform 0.5 -o half.json
fairstep policy fico.json --threshold 50 --threshold black:25 -o by-group.json
fairstep policy fico.json --random --seed 3 --group-independent -o blind.json
fairstep policy random.json --random --seed 4
fairstep validate fico.json half.json blind.json random.json
fairstep evaluate fico.json by-group.json --csv rates.csv
fairstep evaluate fico.json blind.json --json --values
fairstep evaluate random.json half.json
fairstep show by-group.json --model fico.json
fairstep show blind.json --json
fairstep show fico.json
fairstep compare fico.json half.json by-group.json blind.json
fairstep compare fico.json half.json by-group.json --json
fairstep compare fico.json half.json by-group.json -o compared.html
fairstep show by-group.json -o by-group.md --quiet

# the optimiser
fairstep solve fico.json --fairness dp --limit 0.05 --effort 20000 -o dp.json
fairstep solve fico.json --fairness dp --limit 0.05 --effort 20000 --json
fairstep solve synthetic.json --fairness eqopt --limit 0.02 --effort 20000
fairstep solve random.json --fairness dp,eqopt --limit 0.1 --effort 20000 --json
fairstep solve random.json --fairness eqodds --limit 0.2 --capacity 0.6 --floor 0.05 --floor-kind accept_only --effort 5000
fairstep solve synthetic.json --fairness dp --penalty 1 --effort 5000 --json
fairstep solve synthetic.json --fairness eqopt --penalty 2 --penalty-form cross --no-proof
fairstep solve fico.json --fairness dp --limit-per-step 0.1,0.05,0 --group-independent --effort 5000
fairstep solve fico.json --fairness dp --limit 0.05 --deterministic --effort 5000
fairstep solve lending.json --fairness none --method unconstrained
fairstep solve lending.json --fairness dp --method myopic --json
fairstep solve fico.json --fairness dp --limit 0 --aggregate-eqopt 0 --floor 0.4 --effort 5000
fairstep solve fico.json --fairness dp --limit 0.05 --monotone --effort 5000 -o rising.json
fairstep evaluate fico.json rising.json --json
fairstep solve random.json --fairness eqopt --limit 0.1 --threshold --effort 2000 --json
fairstep solve random.json --fairness dp --limit 0.1 --monotone --stationary --order x2,x1,x0 --effort 2000 --json
fairstep solve fico.json --fairness dp --stationary --method myopic
fairstep pareto fico.json --fairness dp --limits 0:0.1:3 --effort 5000 -o frontier.csv
fairstep solve fico.json --fairness dp-ratio --effort 2000
fairstep solve random.json --fairness eqopt-ratio --limit 0.9 --reference a --effort 500 --json
fairstep alternative fico.json by-group.json --effort 2000
fairstep alternative fico.json by-group.json --class group-independent --fairness dp-ratio --at-least 95% --effort 2000 --json
cut -d, -f1-9 frontier.csv > untimed.csv && rm frontier.csv
fairstep pareto fico.json --fairness eqopt --limits 0.05,0.2 --effort 5000 -o frontier.json --json
fairstep export fico.json --fairness dp --limit 0.05 -o problem.lp
fairstep export random.json --fairness eqopt --limit 0.05 -o problem.mps

# logs, counts, estimates
fairstep simulate fico.json half.json --people 400 --seed 7 -o log.csv
fairstep simulate fico.json half.json --people-per-group 2^14 --seed 8 -o crowd.json
fairstep simulate fico.json by-group.json --people-per-group 2^14 --seed 9 -o more.json --json
fairstep count log.csv --like fico.json -o counts.json
fairstep count log.csv --like fico.json --strict --json
awk -F, 'BEGIN { OFS = "," } NR > 1 && NR % 17 == 0 { $5 = "" } NR > 1 && NR % 23 == 0 { $6 = "?" } { print } NR > 1 && NR % 29 == 0 { print }' log.csv > messy.csv
fairstep count messy.csv --like fico.json -o messy.json
fairstep count messy.csv --like fico.json --censored drop -o messy.json
fairstep count messy.csv --like fico.json --censored assume-ignorable --json
fairstep merge counts.json messy.json -o both.json
fairstep merge crowd.json more.json --json
fairstep validate counts.json messy.json both.json
fairstep fit messy.json --labels follow-features --refused odds=2 -o followed.json
fairstep fit messy.json --labels follow-features --refused anything
fairstep audit messy.json --labels follow-features --refused odds=2 --fairness dp,eqopt
fairstep audit messy.json --labels follow-features --refused anything --fairness eqopt --json
fairstep count messy.csv --like fico.json --censored drop --split 0.3 --seed 7 -o design.json --audit audit.json
fairstep count log.csv --like fico.json --split 0.5 --seed 1 -o half-design.json --audit half-audit.json --json
fairstep count log.csv --like fico.json --split 0.5 -o half-design.json --audit half-audit.json
fairstep simulate fico.json half.json --people-per-group 2^14 --seed 8 --split 0.25 -o crowd-design.json --audit crowd-audit.json
fairstep merge design.json audit.json -o whole.json
fairstep merge design.json messy.json -o whole.json
fairstep validate design.json audit.json
fairstep audit audit.json --fairness dp
fairstep fit both.json -o fitted.json --radii radii.json --reward-range=-2,2
fairstep fit counts.json --unvisited uniform --share white=0.6 --share black=0.4 --json
fairstep evaluate fitted.json half.json
fairstep solve fitted.json --fairness dp --limit 0.1 --effort 2000
fairstep solve fitted.json --fairness dp --limit 0.5 --min-seen 2 --effort 2000
fairstep diagnose log.csv
fairstep diagnose both.json --level 0.01 --json

# claims
fairstep audit both.json -o audit.md
fairstep audit both.json -o audit.html
fairstep audit both.json -o audit.txt
fairstep audit both.json --format md -o audit2.html
fairstep audit both.json --fairness dp-ratio,eqopt-ratio --limit 0.8 --reference black
fairstep audit both.json --fairness dp --limit 0.01 --json
fairstep audit both.json --fairness dp,dp-ratio --limit 0.01
fairstep audit both.json --fairness dp --reference blue
fairstep audit crowd.json --policy by-group.json --fairness dp,eqopt --json
fairstep monitor watched log.csv --like fico.json --limit 0.05 --fairness dp,eqopt --date 2026-11-19
fairstep monitor watched log.csv
fairstep monitor watched messy.csv --allow-loss
fairstep monitor watched --json
fairstep monitor watched messy.csv --limit 0.1
fairstep certify crowd.json by-group.json --model fico.json -o certificate.json
fairstep certify more.json by-group.json --followed --fairness dp --limit 0.05
fairstep certify both.json blind.json --reward-range=-2,2 --delta 0.1 --json
fairstep certify crowd.json by-group.json --fairness dp --plan 0.2
fairstep check certificate.json
fairstep show certificate.json
fairstep show crowd.json
fairstep show frontier.json
fairstep show radii.json
fairstep check certificate.json --json
fairstep check certificate.json --counts more.json

# learning, experiments, reports
fairstep learn synthetic.json --fairness dp --schedule 2^4..2^7 --seed 5 --effort 500 --time-limit 600 -o run --json
fairstep learn fico.json --fairness eqopt --schedule 16,64 --relaxation tight --by person --evaluation-episodes 200 --no-proof
fairstep learn synthetic.json --fairness dp --method penalty --lambda 0.5 --schedule 2^4..2^6 --no-proof --json
printf '%s\n' 'schema = "fairstep/experiment/1"' 'environments = ["fico"]' 'fairness = "dp"' 'repeats = 2' 'schedule = "2^6..2^7"' 'certificate = "off"' '[[method]]' 'method = "constrained"' '[[method]]' 'method = "unconstrained"' '[frontier]' 'limits = [0, 0.1]' > small.toml
fairstep experiment small.toml --dry-run
fairstep experiment small.toml -o small --threads 2 --json
fairstep show run
fairstep show small
fairstep report small -o report.html
fairstep report small -o verdicts.md
fairstep plot small -o figures

# mistakes
fairstep slove fico.json
fairstep solve fico.json --fairnes dp
fairstep solve fico.json --fairness db
fairstep solve missing.json
fairstep solve fico.json --limit -1
fairstep solve fico.json --limit 0.1 --limit-per-step 0.1 --json
fairstep solve half.json
fairstep evaluate fico.json random.json
fairstep evaluate random.json by-group.json --json
fairstep policy fico.json --threshold 51
fairstep policy fico.json
fairstep pareto fico.json --limits 0:1
fairstep simulate fico.json half.json --people 1e99
fairstep simulate fico.json half.json --people 10 -o people.txt
fairstep count log.csv --map person=who
fairstep count log.csv --censored maybe
fairstep count messy.csv --like fico.json --strict
fairstep merge counts.json random.json
fairstep merge crowd.json
fairstep fit counts.json --unvisited error
fairstep fit counts.json --share white=0.6
fairstep certify counts.json by-group.json --reward-range 5,6
fairstep certify counts.json half.json --delta 2
fairstep check half.json
fairstep compare fico.json half.json
fairstep show log.csv
fairstep show half.json -o half.txt
fairstep learn fico.json --schedule 8..2
fairstep experiment fico.json
fairstep report run
fairstep fit log.csv -o log.csv
fairstep completion tcsh
fairstep -V
fairstep evaluate half.json fico.json
fairstep count fico.json
fairstep explore --help
fairstep explore half.json
fairstep explore nowhere.json
fairstep explore fico.json --port 70000
fairstep explore fico.json --port 8000 --time-limit 0
fairstep explore fico.json --baseline random.json
fairstep explore fico.json --limit 0.1
printf '{"schema": "fairstep/model/1", "horizon": 0}' > bad.json
fairstep validate bad.json
fairstep validate bad.json --json
printf 'person,step,group,x,y,a,w\n1,0,women,low,1,1,2\n2,0,women,low,0,0,1\n3,0,women,low,1,0,0.5\n4,0,men,low,1,1,1\n5,0,men,high,0,1,4\n6,0,men,high,0,0,3\n' > weighed.csv
fairstep audit weighed.csv --weight w --largest-weight 4
fairstep audit weighed.csv --weight w --largest-weight 4 --fairness dp --json
fairstep audit weighed.csv --weight w --largest-weight 3
fairstep audit weighed.csv --weight w
fairstep count weighed.csv --weight w
