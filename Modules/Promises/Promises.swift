// Promises
