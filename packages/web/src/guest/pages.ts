/**
 * The views of a guest's page, to be loaded together.
 */
export * as Document from "../ui/Document.tsx"
export { shownOf } from "../ui/Shown.ts"
export { cancelPage } from "./CancelPage.tsx"
export { type Done, guestPage } from "./GuestPage.tsx"
export { moveCheckPage, movePage, nameOf } from "./MovePage.tsx"
export { closedPage, linkOverPage, linkPage, noPayPage, payPage, waitPage } from "./SmallPages.tsx"
