/**
 * What every page of the dashboard needs, to be loaded together.
 */
export * as Document from "../../ui/Document.tsx"
export { framed } from "./Frame.tsx"
export { refusedPage } from "./RefusedPage.tsx"
export { shownTo } from "./shownTo.ts"
