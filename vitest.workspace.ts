/**
 * What is tested. All packages are one project: each of the processes then loads the sources once, and not once for
 * every package.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { TestProjectConfiguration } from "vitest/config"
import { isLong } from "./test/runs.ts"

/** What `npm test` leaves out, and what it runs in part: the files that ask `runs` how many cases to try. */
const isOfLongTier = (path: string): boolean =>
  /^(?!.*\bnode_modules\b).*\.test\.ts$/.test(path) &&
  (path.endsWith(".long.test.ts") || /from "(?:\.{1,2}\/)+(?:test\/)?runs\.ts"/.test(readFileSync(path, "utf8")))

const folders = [...readdirSync("packages").map((name) => `packages/${name}/test`), "test", "examples"]

const longTier = (): Array<string> =>
  folders
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)))
    .filter(isOfLongTier)

// The first condition lets tests run from source, without a build; the others are vite's own. In the configuration of the
// whole they would be those of plain Node too, in the processes and in the threads that a test starts.
const conditions = ["@trailbook/source", "module", "node", "development|production"]

const projects: Array<TestProjectConfiguration> = [
  {
    extends: true,
    resolve: { conditions },
    ssr: { resolve: { conditions } },
    test: {
      name: "trailbook",
      include: isLong ? longTier() : folders.map((folder) => `${folder}/**/*.test.ts`),
      exclude: ["**/node_modules/**", "**/dist/**", ...(isLong ? [] : ["**/*.long.test.ts"])]
    }
  }
]

export default projects
