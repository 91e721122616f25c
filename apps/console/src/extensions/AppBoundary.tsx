import { Alert, Button } from '@pult/ui'
import { Component, type ErrorInfo, type ReactNode } from 'react'
import { texts } from './extensions.texts.ts'

interface AppBoundaryProps {
  label: string
  /** Identifies the shown page. A change resets the error. */
  page: string
  children: ReactNode
}

interface BoundaryState {
  error: Error | null
  page: string
}

/** Isolates errors of an app from the rest of the console. */
export class AppBoundary extends Component<AppBoundaryProps, BoundaryState> {
  override state: BoundaryState = { error: null, page: this.props.page }

  static getDerivedStateFromProps({ page }: AppBoundaryProps, state: BoundaryState) {
    return page === state.page ? null : { error: null, page }
  }

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) }
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
