/**
 * The views of the till's page, to be loaded together.
 */
export * as Document from "../ui/Document.tsx"
export { shown as shownOf } from "../ui/Shown.ts"
export { tillPage } from "./TillPage.tsx"
