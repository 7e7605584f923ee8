/** Constructions that plain technical English avoids, and functions that extract the text to check. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

export type Kind = "comments" | "messages" | "titles" | "docs"

export interface Text {
  readonly file: string
  readonly kind: Kind
  readonly text: string
}

/** Constructions that no text may contain. None of them occurs in the Effect or Hono sources. */
export const strictChecks: Readonly<Record<string, RegExp>> = {
  whoever: /\bwhom?ever\b/gi,
  nobody: /\b(no|some|any|every)body\b/gi,
  "who as subject": /(?<=^|[.;:(] )(And |But |So |For )?Who(m|se)? (?![^.\n]*\?)\w+/gm,
  "preposition and who": /\b(of|for|as|to|by|with|from|than) who\b/gi,
  "what as subject": /(?<=^|[.;:(] )(And |But |So |Of )?What (?![^.\n]*\?)\w+/gm,
  "what clause":
    /\bwhat (is|was|were|has|had|are|becomes|holds|waits|happened|goes|comes|runs|fails|may|must|cannot)\b(?![^.\n]*\?)/gi,
  "is told":
    /\b(is|are|was|were|be|been|being) (told|asked|heard|looked at|begun|given up|called off|let go|taken up|broken off)\b/gi,
  says: /\b(says|said|hears?|heard of)\b/gi,
  "by itself": /\b(by|of) (themselves|its own|their own)\b|\bby itself\b/gi,
  stands: /\b(stands?|stood|lies|lay) (in|on|there|beside|under|where|below|above|still|for)\b/gi,
  archaic:
    /\b(beside|meanwhile|lately|thereby|errands?|neighbours?|anew|whilst|for ever|all the same|such as are|that is there|as they do|goes? on|gone on)\b/gi,
  "for as because":
    /, for (it|they|there|he|she|we|this|that|one|(the|a|an|its|each) \w+) (is|are|was|were|has|have|would|could|can|cannot|may|must|makes|does|will|needs?|takes?)\b/gi,
  "all of it": /\b(all|some|none|much|most) of it\b|\bnothing of\b/gi,
  "where clause": /(?<=^|[.;] )Where (?!possible|[^.\n]*\?)\w+/gm,
  inversion: /(?<=^|[.;] )(Nor|Were|Of|Beside) [a-z]+/gm
}

/** Constructions with legitimate uses, which are counted. */
export const countedChecks: Readonly<Record<string, RegExp>> = {
  "one that": /\b(one|those|some|others|another) (who|that|which|whose)\b/gi,
  "at once": /(?<!all |\d+ |many |one )\bat once\b/gi,
  "has to": /\b(has|have|had) to\b/gi,
  comes: /\b(comes?|came) (to|of|by|along|back|in|out|again|before|after|late|later|too)\b/gi,
  begins: /\b(begins?|began|begun)\b/gi,
  "is there": /\b(is|are|was|were) (there|none|nothing|nowhere)(?=[.,;:)]|$)/gi,
  "is no": /\b(is|are|was|were) no (?!longer|more than|such|need|guarantee|way|default)[a-z]+/gi,
  "as it is": /\b(so (is|does|do|are)|as (does|it does|they are|it is|it was|things are))\b/gi,
  whatever: /\b(whatever|whichever|wherever|however (many|long|much|often|large))\b/gi,
  "double negative": /\b(not|never)\b[^.;\n]{1,40}\b(nothing|never|none|neither|nor)\b/gi
}

/** Names of files and exports that are a participle, a question word, or a converter without a verb. */
export const oddName =
  /^[a-z]*(ed|ing|awn|ept|old|aid|ost|ound|own|eard|one)$|[a-z]Of$|^(who|why|what|beside|again)(?![a-z])|^without$/

const skippedNames = new Set(["node_modules", "dist", ".git", "replies"])

/** Returns all files under a folder, except built and installed files. */
export const filesBelow = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (skippedNames.has(entry.name)) return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(path) : [path]
  })

const isTest = (file: string) => /(^|\/)test\//.test(file)

const literalOrComment =
  /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|\/\*\*?([\s\S]*?)\*\/|((?:^[ \t]*\/\/[^\n]*\n?)+)|\/\/([^\n]*)/gm

const isTitle = /\b(it|describe|law|test)(\.\w+(\([^)]*\))?)*\(\s*$/

const isCode = /\b(select|insert into|update|delete from|create (table|index)|from \w+ where)\b/

const directive = /^(oxlint|eslint|dprint|prettier|@ts|v8|c8|<)/

const joinLines = (paragraph: string) => paragraph.replace(/\s*\n\s*/g, " ").trim()

/** Extracts the comments, messages, and test titles from a source file, or the paragraphs from a page. */
export const textsIn = (file: string, source: string): ReadonlyArray<Text> => {
  if (file.endsWith(".md")) {
    return source.replace(/```[\s\S]*?```/g, "").split(/\n\s*\n|\n(?=[|#-])/).map((paragraph) => ({
      file,
      kind: "docs",
      text: joinLines(paragraph.replace(/`[^`]*`/g, "X"))
    }))
  }
  return Array.from(source.matchAll(literalOrComment)).flatMap((match): ReadonlyArray<Text> => {
    const [, literal, block, lines, line] = match
    if (literal !== undefined) {
      const text = literal.slice(1, -1)
      if (isTitle.test(source.slice(Math.max(0, match.index - 40), match.index))) {
        return [{ file, kind: "titles", text }]
      }
      const isMessage = !isTest(file) && /[a-z] [a-z]+ [a-z]/i.test(text) && !isCode.test(text) &&
        text.split(/\s+/).length > 4
      return isMessage ? [{ file, kind: "messages", text: text.replace(/\$\{[^}]*\}/g, "X") }] : []
    }
    return (block ?? lines ?? line ?? "")
      .replace(/^[ \t]*(\/\/|\*)/gm, "")
      .replace(/@example[\s\S]*/, "")
      .replace(/`[^`]*`/g, "X")
      .replace(/\{@link ([^}]*)\}/g, "X")
      .replace(/@\w+.*/g, "")
      .split(/\n\s*\n/)
      .map(joinLines)
      .filter((text) => text !== "" && !directive.test(text))
      .map((text) => ({ file, kind: "comments", text }))
  })
}

export const readTexts = (root: string, file: string): ReadonlyArray<Text> =>
  textsIn(file, readFileSync(join(root, file), "utf8"))

/** Returns all matches of the patterns in a text. */
export const hits = (checks: Readonly<Record<string, RegExp>>, { text }: Text): ReadonlyArray<string> =>
  Object.entries(checks).flatMap(([name, pattern]) => (text.match(pattern) ?? []).map((match) => `${name}: ${match}`))

export const wordsIn = (texts: ReadonlyArray<Text>): number =>
  texts.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0)
