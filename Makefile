.DEFAULT_GOAL := help
.PHONY: help setup screen test test-matrix check format translations screenshots package clean bench

run := tools/qgis

help: ## List the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo "tools/qgis COMMAND ARGS...   Run any command (python3, qgis_process, qgis, pytest) in the QGIS environment"

setup: ## Make the QGIS environment, or find the one made before
	@tools/setup

screen: ## Screen the sample town with qgis_process and compare it with the known answers
	@$(run) python3 tools/screen_sample.py

test: ## Run all tests; ARGS="tests/rules -x" runs some
	@$(run) python3 -m pytest $(ARGS)

test-matrix: ## Run all tests in QGIS 3.40 and in QGIS 3.44; ARGS as for test
	@STORMWATER_QGIS=3.40 $(run) python3 -m pytest $(ARGS)
	@STORMWATER_QGIS=3.44 $(run) python3 -m pytest $(ARGS)

check: ## Lint, format, types, the ban of qgis in the core, the checks of the plugin repository
	@$(run) ruff check .
	@$(run) ruff format --check .
	@$(run) mypy
	@bash -n tools/qgis && bash -n tools/setup && bash -n tools/environment.sh && bash -n tools/postgis && bash -n tools/grass && bash -n .ci/run
	@$(run) python3 tools/check_plugin.py

format: ## Format the code and mend what the linter can
	@$(run) ruff check --fix .
	@$(run) ruff format .

translations: ## Write the template for translators to resources/i18n
	@$(run) python3 tools/translations.py

screenshots: ## Open the QGIS window with the plugin and take its pictures
	@$(run) xvfb-run -a -s "-screen 0 1360x880x24" python3 tools/screenshots.py

package: ## Write the zip that QGIS installs to dist
	@$(run) python3 tools/package.py

bench: ## Compare speed and memory with chains of QGIS algorithms; ARGS="--lots 1000 10000"
	@$(run) python3 tests/benchmark/run.py $(ARGS)

clean: ## Remove what checks, tests and runs left in this folder
	@find . -name __pycache__ -prune -exec rm -rf {} +
	@rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis out dist
