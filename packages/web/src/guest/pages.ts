/** The views for the guest's booking page, loaded as a single chunk. */
export * as Document from "../ui/Document.tsx"
export { makeOrgRenderContext } from "../ui/RenderContext.ts"
export {
  bookingClosedPage,
  cancelPage,
  checkInPage,
  mailedLinkExpiredPage,
  mailedLinkPage,
  paymentPendingPage,
  paymentUnavailablePage,
  payPage
} from "./cardPages.tsx"
export { type CompletedAction, guestPage } from "./GuestPage.tsx"
export { moveConfirmationPage, movePage } from "./MovePage.tsx"
