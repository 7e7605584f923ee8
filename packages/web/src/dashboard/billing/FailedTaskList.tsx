import type { staffTasks } from "@trailbook/core/operation"
import type { Operation } from "@trailbook/core/operation/Operation"
import type { TaskKind } from "@trailbook/core/task/Task"
import { ActionButton, Link } from "../kit/elements.tsx"
import { usePage } from "../Page.ts"

type FailedTasks = Operation.Output<typeof staffTasks>["data"]

/** Failed tasks with their errors and a retry button. */
export const FailedTaskList = ({ tasks }: { readonly tasks: FailedTasks }) => {
  const { format } = usePage()
  return (
    <ul class="rows">
      {tasks.map(({ about: { booking_id, conversation_id, reference, who }, ...task }) => (
        <li key={task.id}>
          <div class="grow">
            <b>{taskLabels[task.kind]}</b>
            <span class={task.given_up_at === null ? "tag warn" : "tag bad"}>
              {task.given_up_at === null ? "still retrying" : "failed permanently"}
            </span>
            {who !== "" && <p dir="auto">{who}</p>}
            {booking_id !== null && (
              <p class="small">
                <Link to={`/bookings/${booking_id}`}>{`Booking ${reference}`}</Link>
              </p>
            )}
            {conversation_id !== null && (
              <p class="small">
                <Link to={`/inbox/${conversation_id}`}>Open conversation</Link>
              </p>
            )}
            {task.last_error !== null && <p dir="auto">{task.last_error}</p>}
            <p class="soft small">
              {`${task.attempts === 1 ? "1 attempt" : `${task.attempts} attempts`} · `}
              {task.given_up_at === null
                ? `next retry ${format.day(task.due_at)} at ${format.time(task.due_at)}`
                : `last attempt on ${format.day(task.given_up_at)} at ${format.time(task.given_up_at)}`}
            </p>
          </div>
          <ActionButton to={`/tasks/${task.id}/retry`} aria-label={`Retry: ${taskLabels[task.kind]}`}>
            Retry
          </ActionButton>
        </li>
      ))}
    </ul>
  )
}

const taskLabels: { readonly [Kind in TaskKind]: string } = {
  "mail.held": "Email to a guest: spot held",
  "mail.confirmed": "Email to a guest: booking confirmed",
  "mail.moved": "Email to a guest: booking moved",
  "mail.updated": "Email to a guest: booking changed",
  "mail.cancelled": "Email to a guest: booking canceled",
  "mail.guest_cancelled": "Email to a guest: booking canceled",
  "mail.expired": "Email to a guest: hold expired",
  "mail.message": "Email to a guest: your message",
  "mail.staff": "Email to your team: new message",
  "notice.messages": "Email to your team: several new messages",
  "mail.link": "Email to a guest: link to their booking",
  "mail.proof": "Email to a guest: link to confirm their address",
  "mail.invitation": "Email: team invitation",
  broadcast: "Group message",
  "mail.returned": "Email to a guest: refund",
  "mail.payment": "Email to a guest: payment request",
  "mail.dispute": "Email to your team: payment disputed",
  "mail.mismatch": "Email to your team: payment mismatch",
  "mail.refund": "Email to your team: refund refused",
  "mail.proposal": "Email to your team: ops agent actions",
  "checkout.open": "Create checkout",
  "checkout.close": "Close checkout",
  refund: "Refund",
  "file.remove": "Delete unused file",
  "photo.remove": "Delete photo"
}

export const isPaymentTask = (kind: TaskKind): boolean => kind === "refund" || kind.startsWith("checkout.")
