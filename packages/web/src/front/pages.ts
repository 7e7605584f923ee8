/**
 * The views of a server's root, to be loaded together.
 */
export * as Document from "../ui/Document.tsx"
export { shown } from "../ui/Shown.ts"
export { apiPage, frontPage } from "./FrontPage.tsx"
