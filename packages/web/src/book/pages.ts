/** The booking page's views, loaded as a single chunk. */
export { makeRenderContext } from "../ui/RenderContext.ts"
export { findBookingFormErrors, findQuestionFormErrors } from "./contactFields.tsx"
export { detailsPage, type DetailsPageProps } from "./page/DetailsPage.tsx"
export { offeringsPage } from "./page/OfferingsPage.tsx"
export { addressConfirmationPage, bookingConfirmationPage, checkoutLinkPage } from "./page/OutcomePages.tsx"
export { pickerPage } from "./page/PickerPage.tsx"
export { questionPage, questionSentPage } from "./page/QuestionPage.tsx"
export { hasEnoughCapacity } from "./TimePicker.tsx"
