import type { Fragment } from '@pult/contract'
import { Component, type ErrorInfo, type ReactNode } from 'react'
import { AppFailure } from './AppFailure.tsx'
import { reportFailure } from './report-failure.ts'

interface AppBoundaryProps {
  label: string
  /** Identifies the shown page. A change resets the error. */
  page: string
  extension: Fragment
  /** Id of the app or its part, for root. */
  part: string
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
    reportFailure(this.props.extension, this.props.part, error)
    reportError(error)
  }

  override render() {
    const { error } = this.state
    if (error === null) return this.props.children
    return (
      <AppFailure label={this.props.label} error={error} onRetry={() => this.setState({ error: null })} />
    )
  }
}
