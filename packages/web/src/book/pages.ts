/**
 * The views of the booking page, to be loaded together.
 */
export * as Document from "../ui/Document.tsx"
export { href } from "../ui/href.ts"
export { shown, type ShownOf, shownOf } from "../ui/Shown.ts"
export { type Details, detailsPage } from "./DetailsPage.tsx"
export { donePage } from "./DonePage.tsx"
export { askErrors, bookErrors } from "./errors.ts"
export { offeringsPage } from "./OfferingsPage.tsx"
export { payPage } from "./PayPage.tsx"
export type { Picked } from "./Picked.ts"
export { pickerPage } from "./PickerPage.tsx"
export { askedPage, questionPage } from "./QuestionPage.tsx"
export { hasRoom } from "./Times.tsx"
