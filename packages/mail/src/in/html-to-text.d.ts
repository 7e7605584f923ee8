// The package has no types of its own. What is used of it, as it is used.
declare module "html-to-text" {
  interface Options {
    readonly wordwrap: false
    readonly limits: {
      readonly maxDepth: number
      readonly maxChildNodes: number
      readonly ellipsis: string
    }
    readonly selectors: ReadonlyArray<{
      readonly selector: string
      readonly format?: "skip" | "block"
      readonly options?: {
        readonly hideLinkHrefIfSameAsText?: boolean
        readonly linkBrackets?: readonly [string, string]
        readonly uppercase?: boolean
      }
    }>
  }
  export const convert: (html: string, options: Options) => string
}
