// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>

class QLabel;
class QPlainTextEdit;

namespace idemdesk::models {
class MappingController;
}

namespace idemdesk::ui {

/// The rules of a mapping: when a key is stuck, what may be purged, what actions do. In sentences, and as the text of
/// the profile, which can be edited; what is wrong with it is said at once.
class RulesEditor final : public QWidget
{
    Q_OBJECT

public:
    explicit RulesEditor(models::MappingController *controller, QWidget *parent = nullptr);

    void reload(); ///< from the controller's profile
    bool valid() const { return m_valid; } ///< what stands there is what the profile has

signals:
    void edited(); ///< valid() may be another

private:
    void apply();
    void showSentences();

    models::MappingController *m_controller;
    QLabel *m_sentences;
    QPlainTextEdit *m_text;
    QLabel *m_error;
    QTimer m_pause;
    bool m_valid = true;
};

} // namespace idemdesk::ui
