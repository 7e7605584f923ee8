import { defineConfig } from "vitest/config"
import { memoryFolder } from "./test/memoryFolder.ts"

const conditions = ["@trailbook/source", "module", "node", "development|production"]
const report = process.env.TEST_REPORT

// Chromium's profiles and the demo's database.
const temporary = process.env.TMPDIR ?? memoryFolder()
if (temporary !== undefined) process.env.TMPDIR = temporary

/** The tests that need a browser: `npm run test:browser`. */
export default defineConfig({
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  test: {
    // Named, so that those of the workspace are not taken.
    projects: [{
      extends: true,
      resolve: { conditions },
      ssr: { resolve: { conditions } },
      test: { name: "browser", include: ["packages/*/test/browser/**/*.browser.ts"] }
    }],
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
