import { orgExport } from "@trailbook/core/org"
import type { AnyRoute } from "@trailbook/http/Route"
import * as automation from "./automations/AutomationPage.tsx"
import * as automationList from "./automations/AutomationsPage.tsx"
import * as billing from "./billing/billingPages.tsx"
import * as attendance from "./bookings/attendance.tsx"
import * as booking from "./bookings/booking.tsx"
import * as bookings from "./bookings/bookings.tsx"
import * as changeBooking from "./bookings/ChangePage.tsx"
import * as ledger from "./bookings/ledger.tsx"
import * as moveBooking from "./bookings/MovePage.tsx"
import * as newBooking from "./bookings/NewPage.tsx"
import * as payments from "./bookings/payments.tsx"
import * as refund from "./bookings/RefundPage.tsx"
import * as calendar from "./calendar/CalendarPage.tsx"
import * as closures from "./calendar/closures.tsx"
import * as departure from "./departures/DeparturePage.tsx"
import * as editDeparture from "./departures/EditPage.tsx"
import * as manifests from "./departures/manifests.tsx"
import * as walkIn from "./departures/WalkInPage.tsx"
import * as applications from "./developers/applications.tsx"
import * as assistantCalls from "./developers/assistantCalls.tsx"
import * as developers from "./developers/developers.tsx"
import * as keys from "./developers/keys.tsx"
import * as webhooks from "./developers/webhooks.tsx"
import * as guests from "./guests/guests.tsx"
import * as broadcast from "./inbox/BroadcastPage.tsx"
import * as eraseConversation from "./inbox/eraseConversation.tsx"
import * as inbox from "./inbox/InboxPage.tsx"
import * as newMessage from "./inbox/NewPage.tsx"
import * as savedReplies from "./inbox/savedReplies.tsx"
import * as thread from "./inbox/ThreadPage.tsx"
import { collectPages, page } from "./kit/page.tsx"
import * as cancelSession from "./offerings/CancelSessionPage.tsx"
import * as discounts from "./offerings/discounts.tsx"
import * as hours from "./offerings/HoursPage.tsx"
import * as plan from "./offerings/NewSessionsPage.tsx"
import * as offering from "./offerings/offering.tsx"
import * as offerings from "./offerings/OfferingsPage.tsx"
import * as photos from "./offerings/PhotosPage.tsx"
import * as prices from "./offerings/PricesPage.tsx"
import * as sessions from "./offerings/SessionsPage.tsx"
import * as proposals from "./proposals/ProposalsPage.tsx"
import * as reports from "./reports/reports.tsx"
import type { DashboardRouter } from "./router.ts"
import * as cancellation from "./settings/cancellation.tsx"
import * as fees from "./settings/fees.tsx"
import * as images from "./settings/images.tsx"
import * as settings from "./settings/settings.tsx"
import * as setup from "./setup/SetupPage.tsx"
import * as team from "./team/team.tsx"
import * as today from "./today/TodayPage.tsx"

export { make as makeRouter } from "./router.ts"

const pages = collectPages([
  applications,
  assistantCalls,
  attendance,
  automation,
  automationList,
  billing,
  booking,
  bookings,
  broadcast,
  calendar,
  cancelSession,
  changeBooking,
  closures,
  developers,
  discounts,
  editDeparture,
  eraseConversation,
  fees,
  guests,
  hours,
  images,
  inbox,
  keys,
  ledger,
  manifests,
  moveBooking,
  newBooking,
  newMessage,
  offering,
  offerings,
  photos,
  plan,
  prices,
  proposals,
  payments,
  refund,
  reports,
  savedReplies,
  sessions,
  cancellation,
  settings,
  setup,
  team,
  thread,
  today,
  walkIn,
  webhooks,
  { departure: page("/departures/:id", departure) }
])

/**
 * Creates the dashboard routes for signed-in staff members. Fixed path segments precede parameters, because the first
 * matching route wins.
 */
export const dashboardRoutes = ({ download, file, routes }: DashboardRouter): ReadonlyArray<AnyRoute> =>
  [
    ...pages.flatMap(routes),
    download("/export", "export", orgExport, ({ org }, date) => `${org.slug}-${date}.json`, "staff"),
    file("/files/:id", "file")
  ].toSorted((a, b) => a.path.replaceAll(":", "~") < b.path.replaceAll(":", "~") ? -1 : 1)
