import { readdirSync } from "node:fs"
import type { TestProjectConfiguration } from "vitest/config"

const project = (name: string, root: string, include: Array<string>) => ({
  extends: "./vitest.shared.ts",
  root,
  test: { name, include, exclude: ["**/node_modules/**", "**/dist/**"] }
})

const projects: Array<TestProjectConfiguration> = [
  ...readdirSync("packages").map((name) => project(name, `packages/${name}`, ["test/**/*.test.ts"])),
  project("house", ".", ["test/**/*.test.ts"]),
  project("examples", ".", ["examples/**/test/**/*.test.ts"])
]

export default projects
