/**
 * The views of the booking page, to be loaded together.
 */
export { shown } from "../ui/Shown.ts"
export { type Details, detailsPage } from "./DetailsPage.tsx"
export { donePage } from "./DonePage.tsx"
export { askErrors, bookErrors } from "./errors.ts"
export { offeringsPage } from "./OfferingsPage.tsx"
export { payPage } from "./PayPage.tsx"
export { pickerPage } from "./PickerPage.tsx"
export { askedPage, questionPage } from "./QuestionPage.tsx"
export { hasRoom } from "./Times.tsx"
