import { defineConfig } from "vitest/config"
import { memoryFolder } from "./test/memoryFolder.ts"

const conditions = ["@trailbook/source", "module", "node", "development|production"]
const report = process.env.TEST_REPORT

// Chromium's profiles and the demo's database.
const temporary = process.env.TMPDIR ?? memoryFolder()
if (temporary !== undefined) process.env.TMPDIR = temporary

const files = "packages/*/test/browser/**/*.browser.ts"
/** Measures time, so it must not share the processor with other tests. */
const timed = "packages/web/test/browser/speed.browser.ts"

// Named, so that the projects of the workspace are not taken.
const project = (name: string, groupOrder: number, include: string, exclude: ReadonlyArray<string>) => ({
  extends: true as const,
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: { name, include: [include], exclude: [...exclude], sequence: { groupOrder } }
})

/** The tests that need a browser: `npm run test:browser`. */
export default defineConfig({
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  test: {
    // Projects with another group order run one after the other.
    projects: [project("browser", 0, files, [timed]), project("timed", 1, timed, [])],
    testTimeout: 240_000,
    hookTimeout: 120_000,
    watch: false,
    pool: "forks",
    poolOptions: {
      forks: {
        // The files of a process share the loaded sources and one browser.
        isolate: false,
        // Both are set because tinypool ends an idle process and loses the file that it assigns to it.
        minForks: 2,
        maxForks: 2
      }
    },
    reporters: report === undefined ? ["default"] : ["default", ["json", { outputFile: report }]]
  }
})
