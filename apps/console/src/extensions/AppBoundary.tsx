import { Alert, Button } from '@pult/ui'
import { Component, type ErrorInfo, type ReactNode } from 'react'
import { texts } from './extensions.texts.ts'

interface AppBoundaryProps {
  label: string
  /** The page that is shown: on another one it is tried anew. */
  page: string
  children: ReactNode
}

/** Keeps what goes wrong in an app from everything around it. */
export class AppBoundary extends Component<AppBoundaryProps, { error: Error | null }> {
  override state: { error: Error | null } = { error: null }

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override componentDidUpdate({ page }: AppBoundaryProps) {
    if (page !== this.props.page && this.state.error !== null) this.setState({ error: null })
  }

  override componentDidCatch(error: unknown, _info: ErrorInfo) {
    reportError(error)
  }

  override render() {
    const { error } = this.state
    if (error === null) return this.props.children
    return (
      <Alert
        tone="danger"
        title={texts.failed(this.props.label)}
        action={<Button onClick={() => this.setState({ error: null })}>{texts.retry}</Button>}
      >
        {error.message}
      </Alert>
    )
  }
}
