/**
 * The views of signing in, to be loaded together.
 */
export * as Document from "../ui/Document.tsx"
export { shown } from "../ui/Shown.ts"
export { askPage, linkPage, nowherePage, overPage, sentPage } from "./SignInPages.tsx"
