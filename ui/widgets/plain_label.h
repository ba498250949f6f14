// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace idemdesk::ui {

/// A label that never reads its text as anything but plain text: Qt's own would open files named in it.
inline QLabel *plainLabel(const QString &text = {}, QWidget *parent = nullptr)
{
    auto *label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setText(text);
    return label;
}

} // namespace idemdesk::ui
