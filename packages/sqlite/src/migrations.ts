import type { Migrations } from "@trailbook/sql/schema/migrate"
import { create } from "./migrations/0001_create.ts"
import { messageNotices } from "./migrations/0024_message_notices.ts"
import { unproven } from "./migrations/0025_unproven.ts"
import { refusals } from "./migrations/0026_refusals.ts"
import { auditActors } from "./migrations/0027_audit_actors.ts"
import { units } from "./migrations/0028_units.ts"
import { sessionIndex } from "./migrations/0029_session_index.ts"
import { bookingTimes } from "./migrations/0030_booking_times.ts"
import { attendance } from "./migrations/0031_attendance.ts"
import { schedule } from "./migrations/0032_schedule.ts"
import { ledger } from "./migrations/0033_ledger.ts"
import { prices } from "./migrations/0034_prices.ts"
import { oldestServer } from "./migrations/0035_oldest_server.ts"
import { photos } from "./migrations/0036_photos.ts"
import { policies } from "./migrations/0037_policies.ts"
import { changes } from "./migrations/0038_changes.ts"
import { reports } from "./migrations/0039_reports.ts"
import { discounts } from "./migrations/0040_discounts.ts"
import { refunds } from "./migrations/0041_refunds.ts"
import { assistantCalls } from "./migrations/0042_assistant_calls.ts"
import { staffRefunds } from "./migrations/0043_staff_refunds.ts"

export const migrations: Migrations = {
  create,
  createdVersion: 28,
  oldestVersion: 23,
  steps: [
    { name: "message_notices", statements: messageNotices },
    { name: "unproven", statements: unproven },
    { name: "refusals", statements: refusals },
    { name: "audit_actors", statements: auditActors },
    { name: "units", statements: units },
    { name: "session_index", statements: sessionIndex },
    { name: "booking_times", statements: bookingTimes },
    { name: "attendance", statements: attendance },
    { name: "schedule", statements: schedule },
    { name: "ledger", statements: ledger },
    { name: "prices", statements: prices },
    { name: "oldest_server", statements: oldestServer },
    { name: "photos", statements: photos, oldestServer: 35 },
    { name: "policies", statements: policies },
    { name: "changes", statements: changes, oldestServer: 37 },
    { name: "reports", statements: reports, oldestServer: 37 },
    { name: "discounts", statements: discounts, oldestServer: 37 },
    { name: "refunds", statements: refunds },
    { name: "assistant_calls", statements: assistantCalls, oldestServer: 41 },
    { name: "staff_refunds", statements: staffRefunds, oldestServer: 41 }
  ]
}
