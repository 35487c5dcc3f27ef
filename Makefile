# The two commands: `make demo` and `make test`. Each does all its own set-up.
.DELETE_ON_ERROR:
.PHONY: audit help demo test test-cluster lint lock images clean

SNAKEMAKE = .venv/bin/snakemake

help:
	@echo "make demo   set up, run the whole pipeline on the bundled jurisdiction, print the leaderboard"
	@echo "make audit  MANIFEST=... make all results again from stored responses and compare byte for byte (docs/audit.md)"
	@echo "make test   set up, run every test"
	@echo "make test-cluster  as root on a spare machine: set up a real SLURM, Apptainer and vLLM, and run the tests that drive them"
	@echo "make lint   format and type checks only"
	@echo "make lock   lock the requirement files anew"
	@echo "make images build the images that need no GPU (see containers/README.md)"
	@echo "make clean  remove what was made; the response store stays"

demo:
	@envs/make_venv.sh cpu
	@$(SNAKEMAKE) results/leaderboard.csv results/report.html
	@PYTHONPATH=scripts .venv/bin/python -m inforce.report.make_leaderboard --show results/leaderboard.csv
	@echo "Leaderboard: results/leaderboard.csv"
	@echo "Report:      results/report.html"
	@echo "Tables and figure: results/report/demo/"

test:
	@envs/make_venv.sh test
	@tests/install_browser.sh
	@.venv/bin/python -m pytest --numprocesses 2 --dist loadfile

# what takes longest comes last
CLUSTER_TESTS = images slurm whole_demo engine slurm_protocol
test-cluster:
	@envs/make_venv.sh test
	@envs/make_venv.sh cluster
	@.venv/bin/python -m pytest -m cluster $(addprefix tests/cluster/test_,$(CLUSTER_TESTS:=.py))

lint:
	@envs/make_venv.sh test
	@.venv/bin/python -m pytest tests/test_house.py

lock:
	@envs/make_venv.sh test
	@envs/lock.sh

images:
	@envs/make_venv.sh cluster
	@.venv/bin/python containers/build_images.py cpu vllm-cpu

clean:
	rm -rf results logs .snakemake

# status 0: every byte is equal, 1: something differs, 2: cannot be run
MANIFEST ?= results/manifest.json
RESPONSES ?= responses
WORK ?= .cache/audit
audit:
	@envs/make_venv.sh cpu
	@$(if $(filter file,$(origin WORK)),rm -rf .cache/audit,true)
	@PYTHONPATH=scripts .venv/bin/python -m inforce.audit.audit_run --manifest "$(MANIFEST)" --responses "$(RESPONSES)" \
		--work "$(WORK)" $(if $(IMAGES),--images "$(IMAGES)") $(if $(RESULTS),--results "$(RESULTS)")
