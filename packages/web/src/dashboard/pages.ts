/**
 * The views of the staff's own pages, to be loaded together.
 */
export * as Document from "../ui/Document.tsx"
export { shown } from "../ui/Shown.ts"
export { homePage } from "./HomePage.tsx"
