import { orgExport } from "@trailbook/core/org/orgOperations"
import type { AnyRoute } from "@trailbook/http/Route"
import * as billing from "./billing/billingPages.tsx"
import * as booking from "./bookings/booking.tsx"
import * as bookings from "./bookings/bookings.tsx"
import * as applications from "./developers/applications.tsx"
import * as developers from "./developers/developers.tsx"
import * as keys from "./developers/keys.tsx"
import * as webhooks from "./developers/webhooks.tsx"
import * as guests from "./guests/guests.tsx"
import * as eraseConversation from "./inbox/eraseConversation.tsx"
import * as savedReplies from "./inbox/savedReplies.tsx"
import { collectPages } from "./kit/page.tsx"
import * as offering from "./offerings/offering.tsx"
import type { DashboardRouter } from "./router.ts"
import * as settings from "./settings/settings.tsx"
import * as team from "./team/team.tsx"

const pages = collectPages([
  applications,
  billing,
  booking,
  bookings,
  developers,
  eraseConversation,
  guests,
  keys,
  offering,
  savedReplies,
  settings,
  team,
  webhooks
])

/**
 * Routes of the dashboard for signed-in staff members. Fixed path segments come before parameters, because the first
 * matching route wins.
 */
export const dashboardRoutes = (desk: DashboardRouter): ReadonlyArray<AnyRoute> =>
  [...pages.flatMap(desk.routes), ...routesOf(desk).flat()]
    .toSorted((a, b) => a.path.replaceAll(":", "~") < b.path.replaceAll(":", "~") ? -1 : 1)

const routesOf = ({ download, file, form, page, upload }: DashboardRouter) => [
  // Today, calendar, and departures.
  page("", "today", () => import("./today/TodayPage.tsx")),
  page("/calendar", "calendar", () => import("./calendar/CalendarPage.tsx")),
  page("/manifest", "manifest", () => import("./departures/DayPage.tsx")),
  page("/departures/:id", "departure", () => import("./departures/DeparturePage.tsx")),
  page("/departures/:id/manifest", "departureManifest", () => import("./departures/ManifestPage.tsx")),
  download("/export", "export", orgExport, ({ org }, date) => `${org.slug}-${date}.json`, "staff"),
  // Offerings and schedules.
  page("/offerings", "offerings", () => import("./offerings/OfferingsPage.tsx")),
  form("/offerings/:id/hours", "hours", () => import("./offerings/HoursPage.tsx")),
  page("/offerings/:id/sessions", "sessions", () => import("./offerings/SessionsPage.tsx")),
  form("/offerings/:id/sessions/new", "newSessions", () => import("./offerings/NewSessionsPage.tsx")),
  form("/offerings/:id/sessions/:session/cancel", "cancelSession", () => import("./offerings/CancelSessionPage.tsx")),
  // Setup of the first activity.
  form("/setup", "setup", () => import("./setup/SetupPage.tsx")),
  form("/bookings/new", "newBooking", () => import("./bookings/NewPage.tsx")),
  form("/bookings/:id/move", "move", () => import("./bookings/MovePage.tsx")),
  // Inbox.
  page("/inbox", "inbox", () => import("./inbox/InboxPage.tsx")),
  upload("/inbox/new", "write", () => import("./inbox/NewPage.tsx")),
  upload("/inbox/:id", "thread", () => import("./inbox/ThreadPage.tsx")),
  form("/broadcast", "broadcast", () => import("./inbox/BroadcastPage.tsx")),
  file("/files/:id", "file"),
  // Proposals and automations.
  form("/proposals", "proposals", () => import("./proposals/ProposalsPage.tsx")),
  page("/automations", "automations", () => import("./automations/AutomationsPage.tsx")),
  form("/automations/:automation", "automation", () => import("./automations/AutomationPage.tsx"), "admin")
]
