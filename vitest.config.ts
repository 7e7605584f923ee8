import { relative } from "node:path"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { memoryFolder } from "./test/memoryFolder.ts"
import projects from "./vitest.workspace.ts"

const report = process.env.TEST_REPORT

const temporary = process.env.TMPDIR ?? memoryFolder()
if (temporary !== undefined) process.env.TMPDIR = temporary

// The seed is set here, before the test processes start, so that all processes have the same seed (see test/runs.ts).
process.env.TEST_SEED ??= new Date().toISOString().slice(0, 10).replaceAll("-", "")

/**
 * Fast packages run first, so that most failures show up within minutes. Tests that start programs run last, the
 * longest first, so that no process sits idle at the end of the run.
 */
class FastPackagesFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const order = [
      /^packages\/(?:core|http|mcp|web)\//,
      /^packages\/(?!memory|sqlite|postgres|trailbook)/,
      /^packages\/memory\//,
      /^packages\/sqlite\//,
      /^packages\/postgres\//,
      /^test\/.*\.long\.test\.ts$/,
      /^examples\/storage-adapter\//,
      /^packages\/trailbook\//
    ]
    const rank = ({ moduleId }: TestSpecification) => {
      const path = relative(import.meta.dirname, moduleId)
      const at = order.findIndex((pattern) => pattern.test(path))
      return at < 0 ? order.length : at
    }
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

export default defineConfig({
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  test: {
    // The projects are imported, because vitest 3.2 prints a deprecation warning if it discovers the workspace file.
    projects,
    globalSetup: "./test/postgres/globalSetup.ts",
    setupFiles: "./test/turns.ts",
    // A test that starts a program takes 2 seconds on a quiet machine and a minute on a machine with a load of 20.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    watch: false,
    pool: "forks",
    poolOptions: {
      forks: {
        isolate: false,
        // The minimum equals the maximum, because tinypool would otherwise end an idle process and lose the file that
        // it was about to give that process.
        minForks: 2,
        maxForks: 2,
        // Tests create an engine for each case and discard it, which would keep filling the default semi-space of 1 to
        // 16 MB.
        execArgv: ["--min-semi-space-size=64", "--max-semi-space-size=64"]
      }
    },
    sequence: { sequencer: FastPackagesFirst },
    reporters: report === undefined ? ["default"] : ["default", ["json", { outputFile: report }]]
  }
})
