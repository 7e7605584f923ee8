/** The `npm create trailbook` command. Copies a template into a new folder without prompting or installing packages. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { basename, join, relative, resolve } from "node:path"
import { fileURLToPath } from "node:url"

/** The output and the exit code: 0 for success, 1 for a failure, and 2 for invalid arguments. */
export interface CommandResult {
  readonly code: 0 | 1 | 2
  readonly stdout: string
  readonly stderr: string
}

const packageFolder = fileURLToPath(new URL("..", import.meta.url))
const templateFolder = join(packageFolder, "template")

const help = `Create a booking server for an outdoor outfitter, built on Trailbook.

Examples
  npm create trailbook my-outfitter
      Create a project in the folder my-outfitter.
  npm create trailbook .
      Create a project in the current directory, which must be empty.

Usage
  create-trailbook <folder>

Settings
  <folder>   The project folder. Its name becomes the package name.
  --version  Print the version.
  --help     Print this help.
`

/** Runs the command. Relative paths are resolved against `directory`. */
export const run = (args: ReadonlyArray<string>, directory = "."): CommandResult => {
  if (args.includes("--help") || args.includes("-h")) return success(help)
  if (args.includes("--version")) return success(`${version()}\n`)
  const option = args.find((arg) => arg.startsWith("-"))
  if (option !== undefined) return failure(2, `Unknown option ${option}. Run: npm create trailbook -- --help`)
  const [folder, ...extraArgs] = args
  if (folder === undefined || extraArgs.length > 0) {
    return failure(2, "Pass one folder name, for example: npm create trailbook my-outfitter")
  }
  const target = resolve(directory, folder)
  const name = basename(target)
  // These are npm's rules for unscoped package names.
  if (!/^[a-z0-9][a-z0-9._-]{0,213}$/.test(name)) {
    return failure(
      2,
      `The folder name "${name}" is not a valid package name. Use lowercase letters, digits, hyphens, dots, and underscores.`
    )
  }
  if (existsSync(target)) {
    if (!statSync(target).isDirectory()) return failure(1, `${target} is a file, not a folder. Choose another name.`)
    if (readdirSync(target).length > 0) return failure(1, `${target} is not empty. Choose another folder.`)
  }
  writeProject(target, name)
  const path = relative(resolve(directory), target)
  return success(`Created ${name} in ${target}

Next:
${path === "" ? "" : `  cd ${path}\n`}  npm install
  npm start

The server prints the booking page URL and a dashboard link. Your activities are defined in outfitter.ts.
`)
}

const success = (stdout: string): CommandResult => ({ code: 0, stdout, stderr: "" })
const failure = (code: 1 | 2, message: string): CommandResult => ({ code, stdout: "", stderr: `${message}\n` })

const version = (): string => JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")).version

const writeProject = (target: string, name: string): void => {
  mkdirSync(target, { recursive: true })
  for (const file of readdirSync(templateFolder)) {
    const text = readFileSync(join(templateFolder, file), "utf8")
    // npm never packs `.gitignore`, so hidden files in the template start with an underscore.
    writeFileSync(join(target, file.replace(/^_/, ".")), file === "package.json" ? renderManifest(text, name) : text)
  }
}

/** Returns the manifest of a new project. All Trailbook packages share one version. */
const renderManifest = (text: string, name: string): string => {
  const templateManifest: { readonly dependencies: Readonly<Record<string, string>> } = JSON.parse(text)
  const dependencies = Object.fromEntries(
    Object.entries(templateManifest.dependencies).map(([name, range]) => [
      name,
      /^(@trailbook\/|trailbook$)/.test(name) ? `^${version()}` : range
    ])
  )
  return `${JSON.stringify({ ...templateManifest, name, dependencies }, null, 2)}\n`
}
