// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QThreadPool>

namespace idemdesk::tests {

/// ThreadSanitizer sees how the pool's threads move the entries of the pool's list of idle ones, but not the
/// mutex they do it under; a single thread has none to move. (The sides of a comparison are read on two
/// threads all the same.)
inline void calmPool()
{
#if defined(__SANITIZE_THREAD__)
    QThreadPool::globalInstance()->setMaxThreadCount(1);
#endif
}

} // namespace idemdesk::tests
