// SerialQueue
