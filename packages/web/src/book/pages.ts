/**
 * The views of the booking page, to be loaded together.
 */
export { makeRenderContext } from "../ui/RenderContext.ts"
export { type Details, detailsPage } from "./DetailsPage.tsx"
export { donePage } from "./DonePage.tsx"
export { bookErrors, questionErrors } from "./errors.ts"
export { offeringsPage } from "./OfferingsPage.tsx"
export { payPage } from "./PayPage.tsx"
export { pickerPage } from "./PickerPage.tsx"
export { questionPage, questionSentPage } from "./QuestionPage.tsx"
export { hasRoom } from "./Times.tsx"
