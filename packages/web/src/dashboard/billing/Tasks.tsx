import type { staffTasks } from "@trailbook/core/operation/maintenanceOperations"
import type { Operation } from "@trailbook/core/operation/Operation"
import type { DashboardContext } from "../Page.ts"
import { taskLabels } from "./taskLabels.ts"

/** Failed tasks with their errors and a retry button. */
export const Tasks = (
  { shown: { format, site }, tasks }: {
    readonly shown: DashboardContext
    readonly tasks: Operation.Output<typeof staffTasks>["data"]
  }
) => (
  <ul class="rows">
    {tasks.map(({ about, attempts, due_at, given_up_at, id, kind, last_error }) => (
      <li key={id}>
        <div class="grow">
          <b>{taskLabels[kind]}</b>
          <span class={given_up_at === null ? "tag warn" : "tag bad"}>
            {given_up_at === null ? "still being tried" : "given up"}
          </span>
          <About about={about} site={site} />
          {last_error !== null && <p dir="auto">{last_error}</p>}
          <p class="soft small">
            {`tried ${attempts === 1 ? "once" : `${attempts} times`} · `}
            {given_up_at === null
              ? `next retry ${format.day(due_at)} at ${format.time(due_at)}`
              : `failed permanently on ${format.day(given_up_at)} at ${format.time(given_up_at)}`}
          </p>
        </div>
        <form method="post" action={site.link(`/dashboard/tasks/${id}/retry`)} data-once="">
          <button class="btn" aria-label={`Retry: ${taskLabels[kind]}`}>Retry</button>
        </form>
      </li>
    ))}
  </ul>
)

const About = (
  { about: { booking_id, conversation_id, reference, who }, site }: {
    readonly about: Operation.Output<typeof staffTasks>["data"][number]["about"]
    readonly site: DashboardContext["site"]
  }
) => (
  <>
    {who !== "" && <p dir="auto">{who}</p>}
    {booking_id !== null && (
      <p class="small">
        <a href={site.link(`/dashboard/bookings/${booking_id}`)}>{`Booking ${reference}`}</a>
      </p>
    )}
    {conversation_id !== null && (
      <p class="small">
        <a href={site.link(`/dashboard/inbox/${conversation_id}`)}>Open conversation</a>
      </p>
    )}
  </>
)
