//! Pure functions from results to figures with their uncertainty. Imports nothing of the project.
