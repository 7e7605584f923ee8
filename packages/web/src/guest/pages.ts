/** The views for the guest's booking page, loaded as a single chunk. */
export * as Document from "../ui/Document.tsx"
export { makeOrgRenderContext } from "../ui/RenderContext.ts"
export { cancelPage } from "./CancelPage.tsx"
export { checkInPage } from "./CheckInCode.tsx"
export { type CompletedAction, guestPage } from "./GuestPage.tsx"
export {
  bookingClosedPage,
  mailedLinkExpiredPage,
  mailedLinkPage,
  paymentPendingPage,
  paymentUnavailablePage,
  payPage
} from "./MessagePages.tsx"
export { getSlotKey, moveConfirmationPage, movePage } from "./MovePage.tsx"
