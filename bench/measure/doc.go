// Package measure reads the clocks and the memory of this process. Processor time is what is compared: on a machine that is shared, wall
// time says who else was there.
package measure
