import type { IconName } from "../../assets/generated.ts"
import type { Page } from "../../ui/Document.tsx"
import { getNameInitial } from "../../ui/PlaceholderImage.tsx"
import { Button, Icon, Link } from "../kit/elements.tsx"
import { type DashboardPath, maxPendingCount, type PageContent, type PageContext, type PendingItems } from "../Page.ts"
import { getFlashMessage } from "./getFlashMessage.ts"

interface Entry {
  readonly section: string
  readonly name: string
  readonly icon: IconName
  readonly path: `/dashboard${string}`
  /** Whether only owners can see and open the page. */
  readonly isOwnerOnly?: true
}

const dailyEntries: ReadonlyArray<Entry> = [
  { section: "today", name: "Today", icon: "sun", path: "/dashboard" },
  { section: "calendar", name: "Calendar", icon: "calendar-days", path: "/dashboard/calendar" },
  { section: "bookings", name: "Bookings", icon: "ticket", path: "/dashboard/bookings" },
  { section: "ledger", name: "Payments", icon: "wallet", path: "/dashboard/ledger" },
  { section: "reports", name: "Reports", icon: "chart-column", path: "/dashboard/reports/sales" },
  { section: "inbox", name: "Inbox", icon: "inbox", path: "/dashboard/inbox" },
  { section: "proposals", name: "Proposals", icon: "sparkles", path: "/dashboard/proposals" },
  { section: "offerings", name: "Activities", icon: "sailboat", path: "/dashboard/offerings" },
  { section: "guests", name: "Guests", icon: "users", path: "/dashboard/guests" }
]

/** The sections in the bottom bar on a phone. The menu lists all sections. */
const dockSections: ReadonlySet<string> = new Set(["today", "calendar", "bookings", "inbox"])

const workspaceEntries: ReadonlyArray<Entry> = [
  { section: "automations", name: "Automations", icon: "sliders-horizontal", path: "/dashboard/automations" },
  { section: "settings", name: "Settings", icon: "settings", path: "/dashboard/settings", isOwnerOnly: true },
  { section: "team", name: "Team", icon: "key-round", path: "/dashboard/team", isOwnerOnly: true },
  { section: "developers", name: "Developers", icon: "code", path: "/dashboard/developers", isOwnerOnly: true },
  { section: "applications", name: "Assistants", icon: "bot", path: "/dashboard/applications", isOwnerOnly: true },
  { section: "billing", name: "Billing", icon: "credit-card", path: "/dashboard/billing" }
]

/** Returns the section to highlight in the menu. A page without its own section is in the section that links to it. */
const toSection = (path: DashboardPath): string => {
  const [, first = ""] = path.split("/")
  return parentSections[first] ?? first
}

const parentSections: Readonly<Record<string, string>> = {
  "": "today",
  manifest: "calendar",
  closures: "calendar",
  discounts: "offerings",
  departures: "calendar",
  logins: "team",
  audit: "team",
  payments: "billing",
  tasks: "billing",
  export: "billing",
  setup: "offerings",
  broadcast: "inbox"
}

/**
 * Renders a dashboard page in its frame: the menu with counts, the search field, and the message about the last action.
 */
export const renderFrame = (
  context: PageContext,
  { actions, body, css, isLive: mayBeLive = true, lead, script, title }: PageContent,
  { proposals, conversations }: PendingItems
): Page => {
  const { head, isOwner, login, me, now, org, path, query, request, site } = context
  const currentSection = toSection(path)
  // The response to a form cannot refresh itself, because a GET request for its URL would not return the same page.
  const isLive = mayBeLive && request.method === "GET"
  // Show no message for a rejected form, because its URL may still contain the message about the previous action.
  const notice = request.method === "GET" ? getFlashMessage(query("done")) : undefined
  const counts: Readonly<Record<string, number>> = { inbox: conversations.length, proposals: proposals.length }
  const renderEntry = ({ icon, name, section, path }: Entry) => (
    <a key={section} href={site.link(path)} aria-current={section === currentSection ? "page" : undefined}>
      <Icon name={icon} />
      <span>{name}</span>
      <Count of={counts[section] ?? 0} />
    </a>
  )
  return {
    title: `${title} · ${org.name}`,
    style: "dashboard",
    script: script === undefined ? "dashboard" : ["dashboard", script],
    css,
    body: (
      <div class="desk">
        <a class="skip btn" href="#content">Skip to content</a>
        {/* On phones, the menu is a popover that the bottom bar opens. */}
        <nav class="side" id="menu" popover="auto" aria-label="Dashboard" data-live-too={isLive ? "" : undefined}>
          <p class="org">
            <span class="mark" aria-hidden="true">{getNameInitial(org.name)}</span>
            <b dir="auto">{org.name}</b>
          </p>
          {dailyEntries.map(renderEntry)}
          <h2>Workspace</h2>
          {workspaceEntries.filter(({ isOwnerOnly }) => isOwner || isOwnerOnly === undefined).map(renderEntry)}
          <form class="end" method="post" action={site.link("/sign-out")}>
            <Link to="/passkeys" aria-current={currentSection === "passkeys" ? "page" : undefined}>
              <Icon name="circle-user" />
              <span class="clip" dir="auto">{me.name === "" ? me.email : me.name}</span>
              <span class="sr">and your passkeys</span>
            </Link>
            <button class="quiet">
              <Icon name="log-out" />
              <span>Sign out</span>
            </button>
          </form>
        </nav>
        <header class="top">
          <search class="search">
            <form action={site.link("/dashboard/bookings")}>
              <Icon name="search" />
              <input
                aria-label="Search bookings and guests"
                name="q"
                type="search"
                maxLength={100}
                value={currentSection === "bookings" ? query("q") : undefined}
                placeholder="Search"
              />
            </form>
          </search>
          {isLive && (
            <output
              class="live"
              data-live-state=""
              data-live="Live"
              data-lost="Reconnecting…"
              data-out="Signed out"
              hidden
            />
          )}
          <Button icon="plus" look="main" to="/bookings/new">New booking</Button>
        </header>
        <main
          id="content"
          tabIndex={-1}
          data-me={me.id}
          // A host application can end a session without notifying Trailbook, so pages are saved only if Trailbook's
          // own sign-in was used.
          data-login={login.id || undefined}
          data-now={now}
          data-live={isLive ? site.link("/dashboard/stream") : undefined}
          data-head={isLive ? head : undefined}
        >
          <div class="head">
            <div>
              <h1 dir="auto">{title}</h1>
              {lead !== undefined && <p class="soft">{lead}</p>}
            </div>
            {actions !== undefined && <div class="end">{actions}</div>}
          </div>
          {notice !== undefined && <output class="note done">{notice}</output>}
          {body}
        </main>
        <nav class="dock" aria-label="Shortcuts" data-live-too={isLive ? "" : undefined}>
          {dailyEntries.filter(({ section }) => dockSections.has(section)).map(renderEntry)}
          <button popovertarget="menu">
            <Icon name="menu" />
            <span>More</span>
          </button>
        </nav>
      </div>
    )
  }
}

const Count = ({ of }: { readonly of: number }) =>
  of === 0 ? null : (
    <span class="count">
      {of < maxPendingCount ? of : `${maxPendingCount - 1}+`}
      <span class="sr">waiting</span>
    </span>
  )

/** Returns an error page with a link back to the form. */
export const refusalPage = ({ request, site }: PageContext, message: string): PageContent => {
  const referer = request.headers.get("referer")
  const { origin } = new URL(request.url)
  const backUrl = referer !== null && URL.canParse(referer) && new URL(referer).origin === origin
    ? referer
    : site.link("/dashboard")
  return {
    title: "Action failed",
    body: (
      <div class="stack">
        <p class="note wrong" role="alert">{message}</p>
        <p>
          <a class="btn" href={backUrl}>Go back</a>
        </p>
      </div>
    )
  }
}
