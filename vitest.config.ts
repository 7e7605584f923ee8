import { join } from "node:path"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { memoryFolder } from "./test/memoryFolder.ts"
import projects from "./vitest.workspace.ts"

const report = process.env.TEST_REPORT

const temporary = process.env.TMPDIR ?? memoryFolder()
if (temporary !== undefined) process.env.TMPDIR = temporary

/** The long files are of storages: one that came last would leave the other process without work. */
class StoragesFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const order = [
      "packages/postgres/",
      "packages/sqlite/",
      "packages/memory/",
      "examples/",
      "packages/trailbook/",
      "test/"
    ]
    const rank = ({ moduleId }: TestSpecification) => {
      const at = order.findIndex((folder) => moduleId.startsWith(join(import.meta.dirname, folder)))
      return at < 0 ? order.length : at
    }
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

export default defineConfig({
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  test: {
    // Imported, because vitest 3.2 warns when it finds a workspace file by itself.
    projects,
    globalSetup: "./test/postgres/globalSetup.ts",
    setupFiles: "./test/turns.ts",
    testTimeout: 30_000,
    hookTimeout: 30_000,
    watch: false,
    pool: "forks",
    poolOptions: {
      forks: {
        isolate: false,
        // As many at least as at most: tinypool ends a process that idles, and takes what it is given meanwhile for lost.
        minForks: 2,
        maxForks: 2,
        // Engines that are made for one case and thrown away fill the default of 1 to 16 MB again and again.
        execArgv: ["--min-semi-space-size=64", "--max-semi-space-size=64"]
      }
    },
    sequence: { sequencer: StoragesFirst },
    reporters: report === undefined ? ["default"] : ["default", ["json", { outputFile: report }]]
  }
})
