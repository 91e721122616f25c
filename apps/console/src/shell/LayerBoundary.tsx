import { Component, type ReactNode } from 'react'

/** Milliseconds until a failed layer is shown again, so that a lasting error cannot block the page. */
const shownAgainAfter = 1000

interface LayerBoundaryProps {
  /** Reports the error, and removes what the layer could not show. */
  onFailure: (error: unknown) => void
  children: ReactNode
}

/** Isolates errors of a layer above the pages. Otherwise React would unmount the pages as well. */
export class LayerBoundary extends Component<LayerBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override componentDidCatch(error: unknown) {
    reportError(error)
    this.props.onFailure(error)
    setTimeout(() => this.setState({ hasFailed: false }), shownAgainAfter)
  }

  override render() {
    return this.state.hasFailed ? null : this.props.children
  }
}
