// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/actions/registration.h"

#include <QStringList>

namespace idemdesk::models {

/// What one person runs before a table can be registered.
struct RegistrationStep {
    QString who; ///< "The owner, app_owner, runs:"
    QStringList statements; ///< each with its semicolon
};

/// By who may run what, in the order in which they must run: the role that the GRANTs name is made first.
QList<RegistrationStep> registrationSteps(const QList<sql::Registration::Item> &findings);

/// The same as one script for psql, with who runs what as comments; empty where nothing is missing.
QString registrationScript(const QList<sql::Registration::Item> &findings);

} // namespace idemdesk::models
