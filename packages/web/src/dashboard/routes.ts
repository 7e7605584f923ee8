import { orgExport } from "@trailbook/core/org/orgOperations"
import type { AnyRoute } from "@trailbook/http/Route"
import type { DashboardRouter } from "./router.ts"

/** Routes of the dashboard for signed-in staff members. */
export const dashboardRoutes = (desk: DashboardRouter): ReadonlyArray<AnyRoute> => routesOf(desk).flat()

/** The first matching route wins. */
const routesOf = ({ action, download, file, form, page, upload }: DashboardRouter) => [
  // Today, calendar, and departures.
  page("", "today", () => import("./today/TodayPage.tsx")),
  page("/calendar", "calendar", () => import("./calendar/CalendarPage.tsx")),
  page("/manifest", "manifest", () => import("./departures/DayPage.tsx")),
  page("/departures/:id", "departure", () => import("./departures/DeparturePage.tsx")),
  page("/departures/:id/manifest", "departureManifest", () => import("./departures/ManifestPage.tsx")),
  // API keys and webhooks.
  page("/developers", "developers", () => import("./developers/DevelopersPage.tsx"), "staff"),
  form("/developers/keys/new", "newKey", () => import("./developers/NewKeyPage.tsx"), "staff"),
  form("/developers/keys/:id/revoke", "revokeKey", () => import("./developers/RevokeKeyPage.tsx"), "staff"),
  form("/developers/webhooks/new", "newWebhook", () => import("./developers/NewWebhookPage.tsx"), "staff"),
  page("/developers/webhooks/:id", "webhook", () => import("./developers/WebhookPage.tsx"), "staff"),
  action("/developers/webhooks/:id/test", "testWebhook", () => import("./developers/testWebhook.tsx"), "staff"),
  form("/developers/webhooks/:id/replay", "replayWebhook", () => import("./developers/ReplayPage.tsx"), "staff"),
  form("/developers/webhooks/:id/delete", "deleteWebhook", () => import("./developers/DeleteWebhookPage.tsx"), "staff"),
  // Team and audit log.
  page("/team", "team", () => import("./team/TeamPage.tsx"), "staff"),
  form("/team/invite", "invite", () => import("./team/InvitePage.tsx"), "staff"),
  form("/team/:id", "member", () => import("./team/MemberPage.tsx"), "staff"),
  form("/team/:id/remove", "removeMember", () => import("./team/RemovePage.tsx"), "staff"),
  page("/audit", "audit", () => import("./team/AuditPage.tsx"), "staff"),
  // Plan, export, payments, and failed tasks.
  page("/billing", "billing", () => import("./billing/BillingPage.tsx")),
  page("/export", "export", () => import("./billing/ExportPage.tsx"), "staff"),
  download("/export", "export", orgExport, ({ org }, date) => `${org.slug}-${date}.json`, "staff"),
  page("/payments", "payments", () => import("./billing/PaymentsPage.tsx"), "staff"),
  form("/payments/connect", "connectPayments", () => import("./billing/ConnectPage.tsx"), "staff"),
  form("/payments/disconnect", "disconnectPayments", () => import("./billing/DisconnectPage.tsx"), "staff"),
  page("/tasks", "tasks", () => import("./billing/TasksPage.tsx"), "staff"),
  action("/tasks/:id/retry", "retryTask", () => import("./billing/TasksPage.tsx"), "staff"),
  // OAuth clients and logins.
  page("/applications", "applications", () => import("./applications/ApplicationsPage.tsx"), "staff"),
  action("/applications/:id/withdraw", "withdraw", () => import("./applications/ApplicationsPage.tsx"), "staff"),
  page("/logins", "logins", () => import("./logins/LoginsPage.tsx"), "staff"),
  action("/logins/:id/end", "endLogin", () => import("./logins/LoginsPage.tsx"), "staff"),
  // Offerings and schedules.
  page("/offerings", "offerings", () => import("./offerings/OfferingsPage.tsx")),
  form("/offerings/new", "newOffering", () => import("./offerings/NewOfferingPage.tsx")),
  form("/offerings/:id", "offering", () => import("./offerings/OfferingPage.tsx")),
  action("/offerings/:id/pause", "pause", () => import("./offerings/pause.ts")),
  form("/offerings/:id/hours", "hours", () => import("./offerings/HoursPage.tsx")),
  form("/offerings/:id/delete", "deleteOffering", () => import("./offerings/DeletePage.tsx")),
  page("/offerings/:id/sessions", "sessions", () => import("./offerings/SessionsPage.tsx")),
  form("/offerings/:id/sessions/new", "newSessions", () => import("./offerings/NewSessionsPage.tsx")),
  form("/offerings/:id/sessions/:session/cancel", "cancelSession", () => import("./offerings/CancelSessionPage.tsx")),
  // Setup of the first activity.
  form("/setup", "setup", () => import("./setup/SetupPage.tsx")),
  // Settings of the org.
  form("/settings", "settings", () => import("./settings/SettingsPage.tsx"), "admin"),
  form("/settings/zone", "zone", () => import("./settings/ZonePage.tsx"), "admin"),
  form("/settings/currency", "currency", () => import("./settings/CurrencyPage.tsx"), "admin"),
  page("/guests", "guests", () => import("./guests/GuestsPage.tsx")),
  form("/guests/new", "newGuest", () => import("./guests/NewPage.tsx")),
  form("/guests/:id", "guest", () => import("./guests/GuestPage.tsx")),
  form("/guests/:id/erase", "eraseGuest", () => import("./guests/ErasePage.tsx")),
  page("/bookings", "bookings", () => import("./bookings/BookingsPage.tsx")),
  form("/bookings/new", "newBooking", () => import("./bookings/NewPage.tsx")),
  page("/bookings/:id", "booking", () => import("./bookings/BookingPage.tsx")),
  form("/bookings/:id/confirm", "confirm", () => import("./bookings/ConfirmPage.tsx")),
  form("/bookings/:id/move", "move", () => import("./bookings/MovePage.tsx")),
  form("/bookings/:id/cancel", "cancel", () => import("./bookings/CancelPage.tsx")),
  action("/bookings/:id/resend", "resend", () => import("./bookings/BookingPage.tsx")),
  // Inbox.
  page("/inbox", "inbox", () => import("./inbox/InboxPage.tsx")),
  form("/inbox/saved", "savedReplies", () => import("./inbox/SavedPage.tsx")),
  form("/inbox/saved/:id", "savedReply", () => import("./inbox/SavedReplyPage.tsx")),
  form("/inbox/saved/:id/delete", "deleteReply", () => import("./inbox/DeleteReplyPage.tsx")),
  upload("/inbox/new", "write", () => import("./inbox/NewPage.tsx")),
  upload("/inbox/:id", "thread", () => import("./inbox/ThreadPage.tsx")),
  form("/inbox/:id/erase", "eraseQuestion", () => import("./inbox/ErasePage.tsx")),
  form("/broadcast", "broadcast", () => import("./inbox/BroadcastPage.tsx")),
  file("/files/:id", "file"),
  // Proposals and automations.
  form("/proposals", "proposals", () => import("./proposals/ProposalsPage.tsx")),
  page("/automations", "automations", () => import("./automations/AutomationsPage.tsx")),
  form("/automations/:automation", "automation", () => import("./automations/AutomationPage.tsx"), "admin")
]
