/**
 * The views of the booking page, to be loaded together.
 */
export * as Document from "../ui/Document.tsx"
export { shownOf } from "../ui/Shown.ts"
export { offeringsPage } from "./OfferingsPage.tsx"
