# Short names for what one does here every day; each is one command that works as well without make.
MVN ?= mvn -B

.DEFAULT_GOAL := help
.PHONY: help test it verify fmt demo bench clean

help: ## show this list
	@sed -n 's/^\([a-z]*\):.*## /make \1\t/p' $(MAKEFILE_LIST)

test: ## unit tests only: no cluster, seconds
	$(MVN) test

it: ## integration tests only, on a mini-cluster per module
	$(MVN) verify -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false

verify: ## everything CI runs
	.ci/run

fmt: ## format the Java sources
	$(MVN) -q spotless:apply

demo: ## start a standalone HBase with Rowguard and show it at work
	deploy/demo.sh

bench: ## how evenly regions are cut on real keys (minutes; see testing/benchmarks/run.sh --help)
	testing/benchmarks/run.sh split-quality

clean: ## remove what the build made
	$(MVN) -q clean
