import { defineConfig } from "vitest/config"
import projects from "./vitest.workspace.ts"

const report = process.env.TEST_REPORT

export default defineConfig({
  test: {
    // Imported, because vitest 3.2 warns when it finds a workspace file by itself.
    projects,
    globalSetup: "./test/postgres/globalSetup.ts",
    watch: false,
    pool: "forks",
    // As many at least as at most: tinypool ends a process that idles, and takes what it is given meanwhile for lost.
    poolOptions: { forks: { minForks: 2, maxForks: 2, isolate: false } },
    reporters: report === undefined ? ["default"] : ["default", ["json", { outputFile: report }]]
  }
})
