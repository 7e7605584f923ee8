/** Builds the browser assets into a module of strings. Separate files would be lost when a host bundles Trailbook. */
import { build } from "esbuild"
import { createHash } from "node:crypto"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { iconNames, iconsText } from "./icons.ts"

const src = join(import.meta.dirname, "../../src")

/** Browser versions from about the last two years. */
const target = ["chrome123", "safari17.5", "firefox128"]

const bundled = async (file: string, ignoreAnnotations = true): Promise<string> => {
  const { outputFiles: [output] } = await build({
    entryPoints: [join(src, file)],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target,
    conditions: ["@trailbook/source"],
    legalComments: "none",
    // Scripts are imported for their side effects, so `sideEffects: false` must not remove them.
    ignoreAnnotations
  })
  return output?.text.trim() ?? ""
}

const digest = (text: string) => createHash("sha256").update(text)

const entries = (folder: string, extension: string) =>
  readdirSync(join(src, folder)).filter((name) => name.endsWith(extension)).sort().map((name) => ({
    name: name.slice(0, -extension.length),
    file: `${folder}/${name}`
  }))

interface Style {
  readonly name: string
  readonly text: string
}

const styleText = ({ name, text }: Style): string => `  ${name}: ${hashed(text)}`

/** The styles of all dashboard pages. */
const sheetText = (styles: ReadonlyArray<Style>): string => {
  const names = ["public", "dashboard"]
  const text = names.map((name) => styles.find((style) => style.name === name)?.text ?? "").join("")
  return `  file: "dashboard.${digest(text).digest("hex").slice(0, 12)}.css",
  text: ${names.map((name) => `styles.${name}.text`).join(" + ")}`
}

const hashed = (text: string): string =>
  `{
    /** As a Content-Security-Policy names it. */
    hash: "'sha256-${digest(text).digest("base64")}'",
    text: ${JSON.stringify(text)}
  }`

const scriptText = async ({ file, name }: { readonly file: string; readonly name: string }): Promise<string> => {
  const text = await bundled(file)
  return `  ${name}: {
    file: "${name}.${digest(text).digest("hex").slice(0, 12)}.js",
    text: ${JSON.stringify(text)}
  }`
}

const iconFile = (): string => {
  const text = iconsText()
  return `  file: "icons.${digest(text).digest("hex").slice(0, 12)}.svg",
  text: ${JSON.stringify(text)}`
}

/** Returns the source text of `src/assets/generated.ts`. */
export const assetsText = async (): Promise<string> => {
  const styles = await Promise.all(
    entries("style", ".css").map(async ({ file, name }) => ({ name, text: await bundled(file) }))
  )
  const scripts = await Promise.all(entries("client", ".ts").map(scriptText))
  return `// dprint-ignore-file
/** Written from \`src/style\` and \`src/client\` by \`npm run generate -w @trailbook/web\`. */

export const styles = {
${styles.map(styleText).join(",\n")}
}

/**
 * The styles of the dashboard as a file. Staff open many pages and each page refreshes itself, so the browser's copy
 * saves a third of every response.
 */
export const dashboardSheet = {
${sheetText(styles)}
}

export const scripts = {
${scripts.join(",\n")}
}

/** The script of the views in the conversation of an assistant, which is part of their page. */
export const assistant = ${hashed(await bundled("client/assistant/main.tsx", false))}

/** Each is a symbol by its name: \`<use href="{file}#{name}">\`. */
export const icons = {
${iconFile()}
}

export type IconName =
${iconNames.map((name) => `  | "${name}"`).join("\n")}
`
}
