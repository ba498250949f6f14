// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace idemdesk::models {

/// How a library writes a number that it read.
enum class NumberStyle {
    AsWritten, ///< the text stays
    EcmaScript, ///< a double in its shortest form: 1.0 is 1
    Python, ///< integers stay, floats in repr(): 1.0 is 1.0
    Php, ///< integers of 64 bits stay, doubles without ".0"
    Numeric ///< PostgreSQL's numeric: 1e2 is 100, 1.0 stays
};

QByteArray writtenNumber(QByteArrayView text, NumberStyle style);

} // namespace idemdesk::models
