import { defineConfig } from "vitest/config"
import { memoryFolder } from "./test/memoryFolder.ts"

const conditions = ["@trailbook/source", "module", "node", "development|production"]
const report = process.env.TEST_REPORT

// The folder for Chromium's profiles and the demo's database.
const temporary = process.env.TMPDIR ?? memoryFolder()
if (temporary !== undefined) process.env.TMPDIR = temporary

const files = "packages/*/test/browser/**/*.browser.ts"
/** This test measures time, so it must not share the processor with other tests. */
const timed = "packages/web/test/browser/speed.browser.ts"

// The projects are named here, so that vitest does not use the workspace's projects.
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
    // Projects with different group orders run one after the other.
    projects: [project("browser", 0, files, [timed]), project("timed", 1, timed, [])],
    testTimeout: 240_000,
    hookTimeout: 120_000,
    watch: false,
    pool: "forks",
    poolOptions: {
      forks: {
        // All files in a process share the loaded sources and one browser.
        isolate: false,
        // The minimum is also set, because tinypool would otherwise end an idle process and lose the file that it was
        // about to give that process.
        minForks: 2,
        maxForks: 2
      }
    },
    reporters: report === undefined ? ["default"] : ["default", ["json", { outputFile: report }]]
  }
})
