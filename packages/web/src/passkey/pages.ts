/**
 * The views of passkeys, to be loaded together.
 */
export * as Document from "../ui/Document.tsx"
export { shown } from "../ui/Shown.ts"
export { askingPage, signInPage } from "./PasskeyPages.tsx"
