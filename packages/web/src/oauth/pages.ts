/**
 * The views of letting an application in, to be loaded together.
 */
export * as Document from "../ui/Document.tsx"
export { shown } from "../ui/Shown.ts"
export { connectPage, onToPage, ownersOnlyPage, wrongPage } from "./ConnectPages.tsx"
