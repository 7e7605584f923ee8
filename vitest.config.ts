import { defineConfig } from "vitest/config"
import { isLong } from "./test/runs.ts"
import projects from "./vitest.workspace.ts"

const report = process.env.TEST_REPORT

export default defineConfig({
  test: {
    // Imported, because vitest 3.2 warns when it finds a workspace file by itself.
    projects,
    globalSetup: "./test/postgres/globalSetup.ts",
    watch: false,
    pool: "forks",
    // Some tests wait for what they have started, so two cores have work for three; the long tier also measures.
    poolOptions: { forks: { minForks: 1, maxForks: isLong ? 2 : 3, isolate: false } },
    reporters: report === undefined ? ["default"] : ["default", ["json", { outputFile: report }]]
  }
})
