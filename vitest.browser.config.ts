import { defineConfig } from "vitest/config"

const conditions = ["@trailbook/source", "module", "node", "development|production"]
const report = process.env.TEST_REPORT

/** What needs a browser: `npm run test:browser`, one file after the other. */
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
    hookTimeout: 60_000,
    watch: false,
    fileParallelism: false,
    reporters: report === undefined ? ["default"] : ["default", ["json", { outputFile: report }]]
  }
})
